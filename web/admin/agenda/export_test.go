package agenda

// What tests see of the package beside what it exports.

const PublishFirst = publishFirst
const PublishLots = publishLots

var FormatNumbers = formatNumbers
var ParseNumbers = parseNumbers
var PlaceText = placeText
