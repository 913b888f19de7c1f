package visit

// Event is the address of an event, below which all that belongs to it stands.
const Event = "/admin/events/:event"

// ContactsPath is where the organization's people are listed.
const ContactsPath = "/admin/contacts"

// AccountPath is where somebody sees to their own sign-in.
const AccountPath = "/admin/account"

// FactorPath is where somebody sets up their second factor.
const FactorPath = AccountPath + "/second-factor"

// ProviderBackPath is where identity providers send browsers back to.
const ProviderBackPath = "/sign-in/back"

// StaffPath is where owners say who works here.
const StaffPath = "/admin/staff"

// StatusPath is where an owner sees how the installation does.
const StatusPath = "/admin/status"

// SecurityPath is where an owner reads the security log.
const SecurityPath = "/admin/security"
