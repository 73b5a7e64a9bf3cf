"""What a backup did, entry by entry, and why: an observer of `hierq.reference`, which does the learning."""

from hierq.credit.explain import explain
from hierq.credit.record import BackupRecord, Credit, Hop, Update

__all__ = ["BackupRecord", "Credit", "Hop", "Update", "explain"]
