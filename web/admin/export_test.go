package admin

// What tests see of the package beside what it exports.

type NeedSaid = needSaid

var ActivityVerbs = activityVerbs
var ComesTo = comesTo
var Countdown = countdown
var Did = did
var EditedFields = editedFields
var NamesOfLists = namesOfLists
var NeedsSaid = needsSaid
var PartVerbs = partVerbs
var Reason = reason
