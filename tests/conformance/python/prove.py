"""Speaks the lines of JSON of the conformance suite for cuckoofilter.py: see tests/conformance/README.md."""

import json
import sys

from cuckoofilter import Filter, FilterFull, FormatError, key_bytes, siphash13, xxh64

KINDS = ["plain", "semi-sorted", "growing", "keyed"]
current = None


def secret_of(request):
    return bytes.fromhex(request["secret"]) if "secret" in request else None


def about(request):
    return {"name": "Python", "reads": KINDS, "writes": KINDS, "hashes": True, "keys": True}


def hash_(request):
    data, secret = bytes.fromhex(request["bytes"]), secret_of(request)
    return {"hash": f"{xxh64(data, int(request['seed'])) if secret is None else siphash13(data, secret):016x}"}


def key(request):
    given = request["string"] if "string" in request else int(request["integer"])
    return {"bytes": key_bytes(given).hex()}


def open_(request):
    global current
    try:
        current = Filter.load(bytes.fromhex(request["bytes"]), secret_of(request), request.get("limit"))
    except FormatError as error:
        return {"error": error.code, "rule": error.rule}
    return {"size": len(current)}


def create(request):
    global current
    current = Filter(
        request["buckets"],
        request["slots"],
        request["bits"],
        capacity=request["capacity"],
        semi_sorted=request["storage"] == "semi-sorted",
        xor=request["addressing"] == "xor",
        seed=int(request.get("seed", 0)),
        secret=secret_of(request),
    )
    return {}


def ask(request):
    keys = [bytes.fromhex(each) for each in request["keys"]]
    answers = [current.count(each) for each in keys]
    present = [count > 0 for count in answers]
    assert present == [each in current for each in keys] == list(current.contains_many(keys))
    return {"answers": answers}


def change(request):
    return {"words": [changed(word[0], word[1:]) for word in request["words"]]}


def changed(sign, digits):
    """The word of an operation, with the sign of what came of it."""
    data = bytes.fromhex(digits)
    if sign in "-=":
        return ("-" if current.delete(data) else "=") + digits
    try:
        current.add(data)
        return "+" + digits
    except FilterFull as error:
        return ("!" if error.reason == "full" else "#") + digits


def save(request):
    return {"bytes": current.save().hex()}


METHODS = {"hash": hash_, "open": open_, **{f.__name__: f for f in (about, key, create, ask, change, save)}}

for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(METHODS[request.pop("do")](request)), flush=True)
