"""The one exception hierq raises on purpose."""


class InputError(ValueError):
    """What was asked for cannot be done; the message says what was wrong, where, and what to do."""
