// Package staff serves the pages where staff sign in and manage their own account, and where owners manage the staff
// and read the security log.
package staff

import "lectern/web/admin/visit"

const (
	aMember = visit.StaffPath + "/:user"
	account = visit.AccountPath
)

// Routes are the addresses of the staff: signing in, their own account, and the list of members.
var Routes = []visit.Address{
	visit.At("/", visit.Anyone, goHome, nil),
	visit.At("/setup", visit.Anyone, setupForm, setUp),
	visit.At("/sign-in", visit.Anyone, signInForm, signIn),
	visit.At("/sign-in/with/:provider", visit.Anyone, nil, signInWith),
	visit.At(visit.ProviderBackPath, visit.Anyone, comeBack, nil),
	visit.At("/sign-in/passkey", visit.Anyone, withPasskeys(passkeyOptions), withPasskeys(passkeySignIn)),
	visit.At("/second-factor", visit.Anyone, secondFactorForm, secondFactor),
	visit.At("/second-factor/passkey", visit.Anyone, nil, withPasskeys(secondFactorByPasskey)),
	visit.At("/sign-out", visit.Anyone, nil, signOut),
	visit.At("/theme", visit.Anyone, nil, setTheme),
	visit.At("/invitations/:token", visit.Anyone, visit.Found(invitation, joinForm), visit.Found(invitation, join)),
	visit.At("/reset", visit.Anyone, whilePasswords(resetForm), whilePasswords(askForReset)),
	visit.At("/reset/:token", visit.Anyone, visit.Found(forgetful, newPasswordForm), visit.Found(forgetful, newPassword)),
	visit.At("/admin", visit.SignedIn, start, nil),
	visit.At("/admin/sidebar", visit.SignedIn, nil, setSidebar),
	visit.At(account, visit.SignedIn, showAccount, nil),
	visit.At(account+"/password", visit.SignedIn, nil, changePassword),
	visit.At(account+"/logins/:login/end", visit.SignedIn, nil, endLogin),
	visit.At(account+"/sign-out-everywhere", visit.SignedIn, nil, signOutEverywhere),
	visit.At(account+"/link", visit.SignedIn, nil, linkAccount),
	visit.At(account+"/identities/:identity/unlink", visit.SignedIn, nil, unlink),
	visit.At(passkeys+"/new", visit.Enrolling, showNewPasskey, beginPasskey),
	visit.At(passkeys+"/keep", visit.Enrolling, nil, keepPasskey),
	visit.At(aPasskey, visit.SignedIn, visit.Found(ownPasskey, showPasskey), visit.Found(ownPasskey, renamePasskey)),
	visit.At(aPasskey+"/remove", visit.SignedIn, nil, visit.Found(ownPasskey, removePasskey)),
	visit.At(visit.FactorPath, visit.Enrolling, showFactor, beginFactor),
	visit.At(visit.FactorPath+"/confirm", visit.Enrolling, nil, confirmFactor),
	visit.At(visit.FactorPath+"/off", visit.SignedIn, nil, endFactor),
	visit.At(visit.StaffPath, visit.Owner, listStaff, nil),
	visit.At(visit.StaffPath+"/invite", visit.Owner, inviteForm, inviteThem),
	visit.At(visit.StaffPath+"/invitations/:invitation/withdraw", visit.Owner, nil, withdraw),
	visit.At(visit.StaffPath+"/mail", visit.Owner, visit.Tidy(listStaffMail), nil),
	visit.At(aMember, visit.Owner, visit.Found(member, showMember), visit.Found(member, changeMember)),
	visit.At(aMember+"/reset-link", visit.Owner, nil, makeResetLink),
	visit.At(aMember+"/remove", visit.Owner, visit.Found(member, removeForm), visit.Found(member, remove)),
	visit.At(visit.SecurityPath, visit.Owner, visit.Tidy(showSecurity), nil),
	visit.At(logCSVPath, visit.Owner, exportLog, nil),
	visit.At(visit.SecurityPath+"/log-days", visit.Owner, nil, keepLog),
	visit.At(visit.SecurityPath+"/second-factor", visit.Owner, nil, requireFactor),
}
