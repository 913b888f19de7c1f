package admin

const (
	staffPath    = "/admin/staff"
	aMember      = staffPath + "/:user"
	securityPath = "/admin/security"
	account      = "/admin/account"
	factorPath   = account + "/second-factor"
)

// staffRoutes are the addresses of the staff: signing in, their own account, and who they are.
var staffRoutes = []address{
	at("/", anyone, goHome, nil),
	at("/setup", anyone, setupForm, setUp),
	at("/sign-in", anyone, signInForm, signIn),
	at("/second-factor", anyone, secondFactorForm, secondFactor),
	at("/sign-out", anyone, nil, signOut),
	at("/theme", anyone, nil, setTheme),
	at("/invitations/:token", anyone, found(invitation, joinForm), found(invitation, join)),
	at("/reset", anyone, resetForm, askForReset),
	at("/reset/:token", anyone, found(forgetful, newPasswordForm), found(forgetful, newPassword)),
	at("/admin", signedIn, start, nil),
	at("/admin/sidebar", signedIn, nil, setSidebar),
	at(account, signedIn, showAccount, nil),
	at(account+"/password", signedIn, nil, changePassword),
	at(account+"/logins/:login/end", signedIn, nil, endLogin),
	at(account+"/sign-out-everywhere", signedIn, nil, signOutEverywhere),
	at(factorPath, enrolling, showFactor, beginFactor),
	at(factorPath+"/confirm", enrolling, nil, confirmFactor),
	at(factorPath+"/off", signedIn, nil, endFactor),
	at(staffPath, owner, listStaff, nil),
	at(staffPath+"/invite", owner, inviteForm, invite),
	at(staffPath+"/invitations/:invitation/withdraw", owner, nil, withdraw),
	at(staffPath+"/mail", owner, tidy(listStaffMail), nil),
	at(aMember, owner, found(member, showMember), found(member, changeMember)),
	at(aMember+"/reset-link", owner, nil, makeResetLink),
	at(aMember+"/remove", owner, found(member, removeForm), found(member, remove)),
	at(securityPath, owner, tidy(showSecurity), nil),
	at(securityPath+"/second-factor", owner, nil, requireFactor),
}
