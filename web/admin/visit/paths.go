package visit

// Event is the address of an event, below which all that belongs to it stands.
const Event = "/admin/events/:event"

// ContactsPath is where the organization's people are listed.
const ContactsPath = "/admin/contacts"

// FactorPath is where somebody sets up their second factor.
const FactorPath = "/admin/account/second-factor"

// SecurityPath is where an owner reads the security log.
const SecurityPath = "/admin/security"
