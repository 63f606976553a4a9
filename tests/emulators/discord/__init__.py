"""A Discord of our own: REST v10 and the gateway over real sockets, for the real client library."""
