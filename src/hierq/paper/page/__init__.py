"""What the page of the reproduction has beyond the common sections: agreement, departures, and how they are told.

agreement.py     published numbers and ours, as tables
headline.py      the numbers of the first minute
departures.py    the four departures of the published program, with what each does
gallery.py       where every figure stands
protocol.py      what each study does
templates/       its own sections
"""
