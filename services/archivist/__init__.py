"""Moves games that are over from the log to the archive.

Takes: the log.  Gives: segments, manifests and places in the archive; a log that stays small.
Owns: the archive. It alone may purge a game from the log, and does so only once the archive was read back.
May see hidden cards: yes, as the auditor; it looks at games that are over.
"""
