package main

import (
	"bufio"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/staff"
)

func userCommand() *cobra.Command {
	var n staff.NewUser
	create := &cobra.Command{Use: "create",
		Short: "Create a member of staff; the password is read from standard input", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			var err error
			if n.Password, err = readPassword(cmd); err != nil {
				return err
			}
			user, err := store.Staff.CreateUser(cmd.Context(), n)
			return printUser(cmd, user, err)
		})}
	create.Flags().StringVar(&n.Email, "email", "", "e-mail address to sign in with")
	create.Flags().StringVar(&n.Name, "name", "", "full name")
	create.Flags().StringVar((*string)(&n.Role), "role", "", "owner, organizer, reviewer or viewer")
	var email string
	password := &cobra.Command{Use: "password",
		Short: "Give a member of staff a new password, read from standard input; it signs them out everywhere",
		Args:  cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			password, err := readPassword(cmd)
			if err != nil {
				return err
			}
			user, err := store.Staff.SetPassword(cmd.Context(), email, password)
			return printUser(cmd, user, err)
		})}
	password.Flags().StringVar(&email, "email", "", "e-mail address they sign in with")
	endFactor := &cobra.Command{Use: "end-second-factor",
		Short: "Turn the second factor of a member of staff off, who lost it with all recovery codes", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			user, err := store.Staff.EndSecondFactor(cmd.Context(), email)
			return printUser(cmd, user, err)
		})}
	endFactor.Flags().StringVar(&email, "email", "", "e-mail address they sign in with")
	allowPasswords := &cobra.Command{Use: "allow-passwords",
		Short: "Let staff sign in with passwords again, when the identity provider that took their place does not work",
		Args:  cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			if err := store.Staff.AllowPasswords(cmd.Context()); err != nil {
				return err
			}
			return printJSON(cmd, map[string]any{"passwords": true})
		})}
	return group("user", "Work with staff", allowPasswords,
		required(create, "email", "name", "role"), required(password, "email"), required(endFactor, "email"))
}

// readPassword takes the first line of standard input.
func readPassword(cmd *cobra.Command) (string, error) {
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func printUser(cmd *cobra.Command, u *staff.User, err error) error {
	if err != nil {
		return err
	}
	return printJSON(cmd, map[string]any{"id": u.ID, "email": u.Email, "name": u.Name, "role": u.Role})
}
