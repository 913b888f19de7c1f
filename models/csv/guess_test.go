package csv

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// guessed returns the guesses for a file as "header target certainty".
func guessed(t *testing.T, content string, targets []Target) (got []string) {
	t.Helper()
	f := opened(t, content, Reading{})
	for i, g := range f.Guess(targets) {
		got = append(got, strings.TrimSpace(fmt.Sprint(f.Columns[i].Name, " = ", g.Target, " ",
			[]string{"-", "?", "values", "likely", "exact"}[g.Certainty])))
	}
	return got
}

func TestColumnsOfRealFilesAreRecognised(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"the picture": {"Vorname;Nachname;E-Mail;Firma;Tel;Rolle;Ernährung;Name2;Spalte 9;Interne Nr.\n" +
			"Nomvula;Dlamini;n@ledgerline.example;Ledgerline;+27 31 555 0142;Speaker;No shellfish;N. D.;x;4711\n" +
			"花子;山田;h@kiroku.example;記録工房;;Speaker;vegan;;;4712\n", []string{"Vorname = first_name exact", "Nachname = last_name exact",
			"E-Mail = email exact", "Firma = company_name exact", "Tel = phone exact", "Rolle = job_title likely",
			"Ernährung = dietary exact", "Name2 =  ?", "Spalte 9 =  -", "Interne Nr. =  -"}},
		"German": {"Anrede;Titel;Name;Vorname;E-Mail-Adresse;Organisation / Firma;Telefonnummer (mobil);Kurzbiografie;Twitter\n" +
			"Frau;Dr.;von der Leyen;Ursula;u@x.example;EU;0170 1234567;Bio;@u\n", []string{"Anrede =  -", "Titel =  -",
			"Name = last_name likely", "Vorname = first_name exact", "E-Mail-Adresse = email exact",
			"Organisation / Firma = company_name likely", "Telefonnummer (mobil) = phone likely", "Kurzbiografie = about exact",
			"Twitter =  -"}},
		"French": {"Nom,Prénom,Adresse e-mail,Société,Intitulé du poste,Tél.,Site web,Régime alimentaire,Date d’arrivée\n" +
			"Dupont,Zoé,z@x.example,Port,Ingénieure,06 12 34 56 78,x.example,sans gluten,2026-06-12\n", []string{"Nom = last_name likely",
			"Prénom = first_name exact", "Adresse e-mail = email exact", "Société = company_name exact",
			"Intitulé du poste = job_title exact", "Tél. = phone exact", "Site web = website_url exact",
			"Régime alimentaire = dietary exact", "Date d’arrivée = arrival exact"}},
		"Spanish": {"Nombre,Apellidos,Correo electrónico,Empresa,Cargo,Teléfono móvil,Notas de viaje\nAna,Ñandú,a@x.example,Puerto,CTO,600 11 22 33,tren\n",
			[]string{"Nombre = first_name likely", "Apellidos = last_name exact", "Correo electrónico = email exact",
				"Empresa = company_name exact", "Cargo = job_title exact", "Teléfono móvil = phone likely",
				"Notas de viaje = travel_notes exact"}},
		"Portuguese": {"Nome completo;E-mail;Organização;Função;Telemóvel;Alojamento\nZé Brito;z@x.example;Porto;Dev;912345678;Ibis\n",
			[]string{"Nome completo = full_name exact", "E-mail = email exact", "Organização = company_name exact",
				"Função = job_title exact", "Telemóvel = phone exact", "Alojamento = hotel exact"}},
		"Italian": {"Nome;Cognome;Indirizzo e-mail;Azienda;Ruolo;Sito web;Nota biografica\nLuca;Rossi;l@x.example;Porto;CTO;http://x.example;Nato\n",
			[]string{"Nome = first_name likely", "Cognome = last_name exact", "Indirizzo e-mail = email exact",
				"Azienda = company_name exact", "Ruolo = job_title likely", "Sito web = website_url exact",
				"Nota biografica = about exact"}},
		"Dutch": {"Voornaam;Achternaam;E-mailadres;Bedrijf;Functie;Telefoonnummer;Dieetwensen\nJan;de Vries;j@x.example;Haven;CTO;0612345678;geen\n",
			[]string{"Voornaam = first_name exact", "Achternaam = last_name exact", "E-mailadres = email exact",
				"Bedrijf = company_name exact", "Functie = job_title exact", "Telefoonnummer = phone exact", "Dieetwensen = dietary exact"}},
		"Polish": {"Imię;Nazwisko;Adres e-mail;Nazwa firmy;Stanowisko;Numer telefonu;Zdjęcie\nŁucja;Żak;l@x.example;Port;CTO;600 100 200;x.example/l.jpg\n",
			[]string{"Imię = first_name exact", "Nazwisko = last_name exact", "Adres e-mail = email exact", "Nazwa firmy = company_name exact",
				"Stanowisko = job_title exact", "Numer telefonu = phone exact", "Zdjęcie = photo_url exact"}},
		"Japanese": {"氏名（漢字）,フリガナ,メールアドレス,会社名,部署名,役職,電話番号,プロフィール,宿泊先ホテル\n山田 花子,ヤマダ ハナコ,h@x.example,記録工房,開発,部長,03-1234-5678,編集者,港\n",
			[]string{"氏名（漢字） = full_name likely", "フリガナ =  -", "メールアドレス = email exact", "会社名 = company_name exact",
				"部署名 =  -", "役職 = job_title exact", "電話番号 = phone exact", "プロフィール = about exact", "宿泊先ホテル = hotel likely"}},
		"Japanese in two": {"姓,名,Ｅメール,所属\n山田,花子,h@x.example,記録工房\n", []string{"姓 = last_name exact", "名 = first_name exact",
			"Ｅメール = email exact", "所属 = company_name exact"}},
		"Sessionize": {"Speaker Id,FirstName,LastName,Email,TagLine,Bio,Session IDs,Profile Picture,Blog,Company Website,Facebook,LinkedIn,Twitter\n" +
			"1,Ana,Silva,a@x.example,CTO,b,2,https://x.example/a.png,https://a.example,https://x.example,,https://www.linkedin.com/in/a,@a\n",
			[]string{"Speaker Id =  -", "FirstName = first_name exact", "LastName = last_name exact", "Email = email exact",
				"TagLine = job_title likely", "Bio = about exact", "Session IDs =  -", "Profile Picture = photo_url exact",
				"Blog = website_url exact", "Company Website =  ?", "Facebook =  -", "LinkedIn = linkedin_url exact", "Twitter =  -"}},
		"Google": {"First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Organization Name,Organization Title,Labels\n" +
			"Ana,Silva,* Work,a@x.example,Mobile,+351 21 000 000,Port,CTO,* myContacts\n", []string{"First Name = first_name exact",
			"Last Name = last_name exact", "E-mail 1 - Label =  ?", "E-mail 1 - Value = email likely", "Phone 1 - Label =  ?",
			"Phone 1 - Value = phone likely", "Organization Name = company_name exact", "Organization Title =  ?", "Labels = tags likely"}},
		"a survey": {"Timestamp,What is your full name?,Your e-mail address,E-mail consent,Title of your talk,Which company do you work for?\n" +
			"2026-01-01,Ana Silva,a@x.example,yes,Tides,Port\n", []string{"Timestamp =  -", "What is your full name? = full_name likely",
			"Your e-mail address = email likely", "E-mail consent =  -", "Title of your talk = job_title likely",
			"Which company do you work for? = company_name likely"}},
		"ours": {"First name,Last name,Full name,Company,What is wrong\nAna,Silva,Ana Silva,Port,x\n", []string{"First name = first_name exact",
			"Last name = last_name exact", "Full name =  -", "Company = company_name exact", "What is wrong =  -"}},
	} {
		if got := guessed(t, test.content, Targets); !slices.Equal(got, test.want) {
			for i := range max(len(got), len(test.want)) {
				if i >= len(got) || i >= len(test.want) || got[i] != test.want[i] {
					t.Errorf("%s: %q, want %q", name, got[i:], test.want[i:])
					break
				}
			}
		}
	}
}

func TestValuesTellMoreThanAHeader(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"Login\na@b.c\nd@e.f\nghi\n":                            "Login = email values",
		"Name\na@b.c\nd@e.f\n":                                  "Name = email values",
		";x\na@b.c;y\n":                                         "Column 1 = email values",
		"Login\na@b.c\nd\n":                                     "Login =  -", // half of them are not most
		"E-mail\nyes\nno\n":                                     "E-mail =  ?",
		"E-mail\n\n\"\",x\n":                                    "E-mail = email exact",
		"E-mail\nnone\nn/a\na@b.c\n":                            "E-mail = email exact", // mistakes are for the check
		"Phone\n2 of them\n":                                    "Phone =  ?",
		"Profile\nhttps://www.LinkedIn.com/in/a\n":              "Profile = linkedin_url values",
		"Login;E-mail\na@b.c;d@e.f\n":                           "Login =  ?",
		"E-mail;E-mail\na@b.c;d@e.f\n":                          "E-mail = email exact",
		"Full name;First name\nAna Silva;Ana\nBen Brito;Ben\n":  "Full name = full_name exact",
		"Full name;Surname\nAna Silva;Silva\nBen Brito;Brito\n": "Full name = full_name exact",
		"Name;First name;Surname\nAS;Ana;Silva\n":               "Name =  ?",
		"Tel (Büro)\n+49 30 1234-56 Durchwahl\n":                "Tel (Büro) = phone likely",
		"a b c d e f g h i j k email\nx@y.z\n":                  "a b c d e f g h i j k email = email likely",
		"a b c d e f g h i j k l phone\n123456\n":               "a b c d e f g h i j k l phone =  -", // beyond the words looked at
	} {
		got := guessed(t, content, Targets)[0]
		if got != want {
			t.Errorf("%.60q: %s, want %s", content, got, want)
		}
	}
}

func TestFieldsOfStaffAreGuessedByTheirLabels(t *testing.T) {
	t.Parallel()
	own := []Target{{Name: "field:size", Label: "T-Shirt size", Words: []string{"T-Shirt size"}},
		{Name: "field:hotel", Label: "Hotel", Words: []string{"Hotel"}}}
	got := guessed(t, "E-mail,t_shirt SIZE,Hotel,Your T-shirt size please\na@b.c,M,Ibis,L\n", append(own, Targets...))
	if want := []string{"E-mail = email exact", "t_shirt SIZE = field:size exact", "Hotel = field:hotel exact",
		"Your T-shirt size please =  ?"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWhatIsKnownAndNotTakenIsToldByItsWholeHeader also has values to guess by, and headers with more words than are
// looked at.
func TestWhatIsKnownAndNotTakenIsToldByItsWholeHeader(t *testing.T) {
	t.Parallel()
	long := "Which of the dinners before, between and after the two days of the conference do you come to?"
	answers := []Target{{Why: "theirs", Words: []string{"Which meal?"}}, {Why: "theirs", Words: []string{long}}}
	f := opened(t, "E-mail,Which meal?,\""+long+"\",Which meal,Which meal then,Came before\n"+
		"a@b.c,d@e.f,https://www.linkedin.com/in/a,,,\n", Reading{})
	var got []string
	for _, g := range f.Guess(append(Targets[:len(Targets):len(Targets)], answers...)) {
		got = append(got, g.Target+" "+g.Why)
	}
	if want := []string{"email ", " theirs", " theirs", " theirs", "dietary ",
		" It follows from sessions and events, and is kept with no person."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestASampleIsOfTheFirstThreeRows(t *testing.T) {
	t.Parallel()
	g := opened(t, "a,b\n1, x \n,2\n3,y\n4,z\n", Reading{}).Guess(Targets)
	if !slices.Equal(g[0].Samples, []string{"1", "", "3"}) || !slices.Equal(g[1].Samples, []string{"x", "2", "y"}) {
		t.Errorf("%+v", g)
	}
	if g := opened(t, "a\n1\n", Reading{}).Guess(nil); !slices.Equal(g[0].Samples, []string{"1"}) {
		t.Errorf("%+v", g)
	}
}

func TestNoWordMeansTwoThings(t *testing.T) {
	t.Parallel()
	meant := map[string]string{}
	for _, target := range Targets {
		for _, word := range target.Words {
			key := strings.ReplaceAll(tokens(strings.TrimSuffix(word, "?")), " ", "")
			if other, taken := meant[key]; taken && other != target.Name || key == "" {
				t.Errorf("%q means %q and %q", word, other, target.Name)
			}
			meant[key] = target.Name
		}
	}
	if len(meant) < 500 {
		t.Errorf("only %d words", len(meant))
	}
}
