#!/bin/sh
# Prints the classes of places in the public agenda's grid: rows of five minutes for a day, and columns for 60 rooms.
# Pages place sessions by classes, because the content security policy forbids inline styles.
awk 'BEGIN {
	print "@layer components {\n  @media screen and (min-width: 901px) {"
	for (i = 2; i <= 290; i++) printf ".r%d{grid-row-start:%d}", i, i
	print ""
	for (i = 1; i <= 288; i++) printf ".n%d{grid-row-end:span %d}", i, i
	print ""
	for (i = 2; i <= 61; i++) printf ".c%d{grid-column:%d}", i, i
	print ""
	for (i = 2; i <= 60; i++) printf ".cols%d{--cols:%d}", i, i
	print "\n  }\n}"
}'
