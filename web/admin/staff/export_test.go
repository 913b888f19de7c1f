package staff

// What tests see of the package beside what it exports.

const FamiliarCookie = familiarCookie

var BrowserWords = browserWords
