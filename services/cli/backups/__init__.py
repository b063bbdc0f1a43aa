"""Backups: `folder` is what lies on disk and proves itself, `copying` moves streams between server and folder by the
server's own snapshots, so that each message keeps its sequence and time; `reach` finds the server.
"""
