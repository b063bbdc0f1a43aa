"""The command line. Takes flags and environment; gives processes, reports and exit statuses; owns a data directory."""
