#!/usr/bin/env python3
"""Prints views/words/cities.txt: CLDR's names for the cities of time zones, where they differ from the zone's.

It reads the unpacked packages cldr-dates-full and cldr-bcp47 of npm, given as folders:
scripts/cities.py cldr-dates-full/package cldr-bcp47/package >views/words/cities.txt
It keeps the lines after "others" in that file: cities that have no time zone of their own."""
import json, sys

dates, bcp = sys.argv[1:]
with open("web/page/zones.txt") as f:
    zones = f.read().split()
with open("views/words/cities.txt") as f:
    others = "".join(f.read().partition("# others\n")[1:])
with open(bcp + "/bcp47/timezone.json") as f:
    keys = json.load(f)["keyword"]["u"]["tz"]
names = {}  # all names of a zone, in CLDR's order
for key, zone in keys.items():
    if isinstance(zone, dict) and "_alias" in zone:
        for name in zone["_alias"].split():
            names[name] = zone["_alias"].split()


def cities(tree, at=""):
    found = {}
    for name, below in tree.items():
        if isinstance(below, dict) and not name.startswith("_"):
            if "exemplarCity" in below:
                found[at + name] = below["exemplarCity"]
            found.update(cities(below, at + name + "/"))
    return found


with open(dates + "/package.json") as f:
    print("# CLDR " + json.load(f)["version"] + ", by scripts/cities.py: a language, a time zone, its city.")
for language in ("de", "es", "fr"):
    with open(f"{dates}/main/{language}/timeZoneNames.json") as f:
        known = cities(json.load(f)["main"][language]["dates"]["timeZoneNames"]["zone"])
    for zone in zones:
        city = next((known[name] for name in [zone] + names.get(zone, []) if name in known), "")
        if city and city != zone.rpartition("/")[2].replace("_", " "):
            print(language, zone, city)
print(others, end="")
