"""The engine protocol: requests and replies as JSON lines, for bots, servers and tools in any language.

`wire` turns a line into a request and a reply into a line; `requests` says what each request may hold; `session` keeps
the auctions and answers; `protocol` joins them: one line in, one reply out, whatever the line is.
"""
