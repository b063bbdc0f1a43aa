"""Checks the deal of a Klondike game that is over, from its exported history: python3 check_deal.py HISTORY.json"""

import hashlib, itertools, json, sys

game, seen, wrong = json.load(open(sys.argv[1], encoding="utf-8")), 0, []
origin, steps = game["deal"], game["steps"]
secret = [str(origin["number"]).encode()] if origin["type"] == "number" else [bytes.fromhex(game["secret"])]
if origin["type"] != "number":
    secret.append(origin.get("player_seed", "").encode())
    hashlib.sha256(secret[0]).hexdigest() == game["commitment"] or sys.exit("NOT FAIR: another secret was committed to")
join = next((step for step in steps if step["deed"] == "join"), None)  # of a game for two: then both are dealt cards
for seat, dealt in enumerate([join["other"]["board"], join["board"]] if join else [steps[0]["board"]]):
    word = origin["type"].replace("winnable", "secret") + ("-2" if seat and game["variant"] == "double" else "")
    seed = hashlib.sha256(b"\0".join([b"klondike deal 1", word.encode(), *secret])).digest()
    blocks = (hashlib.sha256(seed + count.to_bytes(8, "big")).digest() for count in itertools.count())
    words = (int.from_bytes(block[at : at + 8], "big") for block in blocks for at in (0, 8, 16, 24))
    sizes = [column["down"] + len(column["up"]) for column in dealt["columns"]]
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"] * ((sum(sizes) + dealt["stock"]) // 52)
    for last in range(len(deck) - 1, 0, -1):
        place = next(word for word in words if word < 2**64 - 2**64 % (last + 1)) % (last + 1)
        deck[last], deck[place] = deck[place], deck[last]
    rows = [(row, n) for row in range(max(sizes)) for n, size in enumerate(sizes) if row < size]
    lies = dict(zip([*rows, *range(len(rows), len(deck))], deck))  # the stock's cards by their places in the deck
    up = {((col["down"] + i, n), card) for n, col in enumerate(dealt["columns"]) for i, card in enumerate(col["up"])}
    for event, board in ((e, step["board"]) for step in steps if step.get("seat", 0) == seat for e in step["events"]):
        if event["type"] == "cards-moved" and event.get("turned_up"):
            column = int(event["source"][1:]) - 1
            up.add(((board["columns"][column]["down"], column), event["turned_up"]))
        elif event["type"] == "cards-drawn" and board["pass_number"] == 1:
            first = len(deck) - board["stock"] - len(event["cards"])
            up.update(zip(range(first, len(deck)), event["cards"]))
    seen, wrong = seen + len(up), wrong + [card for place, card in up if lies.get(place) != card]
print(f"NOT FAIR: {wrong} lay elsewhere" if wrong else f"fair: {seen} cards were seen, each where it was dealt")
