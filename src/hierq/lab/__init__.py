"""The lab: a page in the browser where one sees credit travel.

serve()        starts the server on this machine only and says where it listens; `hierq lab` calls it

server.py      the page, its files and its socket; gate.py decides who is let in, limits.py how much pages may use
session.py     one open page, its pair of agents and what it may ask
page_agent.py  one of these agents; many.py runs many seeds
messages.py    what a page may send
answers.py     what it receives that needs no agent; snippet.py the program that does the same
declared.py    the settings it offers; user_parts.py the user's own world and parts
recording.py   one HTML file that needs no server
page/          the page itself: HTML, CSS and JavaScript modules
"""

from hierq.lab.serving import serve

__all__ = ["serve"]
