package visit

// Event is the path of an event; the pages that belong to it stand below.
const Event = "/admin/events/:event"

// ContactsPath is the list of the organization's people.
const ContactsPath = "/admin/contacts"

// AccountPath is where users manage their own sign-in.
const AccountPath = "/admin/account"

// FactorPath is where users set up their second factor.
const FactorPath = AccountPath + "/second-factor"

// ProviderBackPath is where identity providers send browsers back to.
const ProviderBackPath = "/sign-in/back"

// StaffPath is where owners manage the staff.
const StaffPath = "/admin/staff"

// StatusPath shows owners the state of the installation.
const StatusPath = "/admin/status"

// SecurityPath shows owners the security log.
const SecurityPath = "/admin/security"
