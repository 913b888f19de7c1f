package desk

// What tests see of the package beside what it exports.

var ActivityVerbs = activityVerbs
var Countdown = countdown
var Did = did
