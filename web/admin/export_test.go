package admin

// What tests see of the package beside what it exports.

const PublishFirst = publishFirst
const PublishLots = publishLots

type NeedSaid = needSaid

var ActivityVerbs = activityVerbs
var ComesTo = comesTo
var Countdown = countdown
var Did = did
var EditedFields = editedFields
var FormatNumbers = formatNumbers
var NamesOfLists = namesOfLists
var NeedsSaid = needsSaid
var ParseNumbers = parseNumbers
var PartVerbs = partVerbs
var PlaceText = placeText
var Reason = reason
var SpanBeside = spanBeside
