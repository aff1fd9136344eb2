"""The parts of `scripts/match.py`: matches between two chess engines.

- `stats`: Elo, error bars, LOS, SPRT. Pure.
- `spec`: what is asked for: engines, limits, adjudication; parsed from the command line. Pure.
- `openings`: start positions from EPD, FEN or PGN files.
- `players`: a running engine, UCI or xboard, by python-chess; measures what each move takes.
- `game`: one game between two players; judges moves, clocks and results.
- `workers`: games in parallel, one process each.
- `records`: the JSON-lines file of finished games, from which an interrupted match goes on.
- `report`: the progress line, the final table, the PGN file.
- `fastchess`: the same match by the program fastchess.
"""
