"""The aggregate of every game: decides commands and owns the event log.

Takes: commands and view requests (request/reply).  Gives: records on the log, answers, steps on the feed, hint jobs.
Owns: the games, in JetStream; their snapshots, in Redis.  May see: everything, alone while a game runs.
"""
