"""The four services, a process each, and the command line. No service imports another."""
