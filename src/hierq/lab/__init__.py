"""The lab: a page in the browser where one sees credit travel.

serve()        starts the server on this machine only and says where it listens; `hierq lab` calls it

server.py      the page, its files and its socket; gate.py says who may come in, limits.py how much of it there is
session.py     one open page, its pair of agents and what it may ask
page_agent.py  one of these agents; trainer.py trains them; many.py runs many seeds; kernels.py gets the compiler ready
messages.py    what a page may say
frames.py      what it gets: compact binary frames; answers.py and snippet.py: texts
declared.py    what it knows of settings; own.py what a user brings along
page/          the page itself: HTML, CSS and JavaScript modules
"""

from hierq.lab.serving import serve

__all__ = ["serve"]
