"""Checks the deal of a Klondike game that is over, from its exported history: python3 check_deal.py HISTORY.json"""

import hashlib, itertools, json, sys  # noqa: E401 - short, to be read at a glance

game = json.load(open(sys.argv[1], encoding="utf-8"))
origin, dealt = game["deal"], game["steps"][0]["board"]
if origin["type"] == "number":
    parts = [b"number", str(origin["number"]).encode()]
else:
    secret = bytes.fromhex(game["secret"])
    if hashlib.sha256(secret).hexdigest() != game["commitment"]:
        sys.exit("NOT FAIR: the secret is not the one that was committed to")
    parts = [b"secret", secret, origin.get("player_seed", "").encode()]
seed = hashlib.sha256(b"\0".join([b"klondike deal 1", *parts])).digest()
blocks = (hashlib.sha256(seed + count.to_bytes(8, "big")).digest() for count in itertools.count())
words = (int.from_bytes(block[at : at + 8], "big") for block in blocks for at in (0, 8, 16, 24))
sizes = [column["down"] + len(column["up"]) for column in dealt["columns"]]
deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"] * ((sum(sizes) + dealt["stock"]) // 52)
for last in range(len(deck) - 1, 0, -1):
    place = next(word for word in words if word < 2**64 - 2**64 % (last + 1)) % (last + 1)
    deck[last], deck[place] = deck[place], deck[last]
rows = [(row, column) for row in range(max(sizes)) for column, size in enumerate(sizes) if row < size]
lies = dict(zip(rows, deck))  # the card at each row of each column; the rest of the deck is the stock
seen = {(size["down"] + at, n): card for n, size in enumerate(dealt["columns"]) for at, card in enumerate(size["up"])}
for event, board in ((event, step["board"]) for step in game["steps"] for event in step["events"]):
    if event["type"] == "cards-moved" and event.get("turned_up"):
        column = int(event["source"][1:]) - 1
        seen[board["columns"][column]["down"], column] = event["turned_up"]
    elif event["type"] == "cards-drawn" and board["pass_number"] == 1:
        first = len(deck) - board["stock"] - len(event["cards"])
        lies |= zip(range(first, len(deck)), deck[first:])
        seen |= zip(range(first, len(deck)), event["cards"])
wrong = [f"{card} where {lies.get(place)} was dealt" for place, card in seen.items() if lies.get(place) != card]
print("the deck:", *deck)
sys.exit(f"NOT FAIR: the game showed {wrong[0]}" if wrong else print(f"fair: {len(seen)} of {len(deck)} cards were seen"))
