package csv

import (
	"strings"
	"unicode"

	"lectern/models/store"
)

// Target is what a column may hold.
type Target struct {
	Name  string   // "" for what is known, but useless
	Label string   // as people read it
	Words []string // words in headers; a ? marks a word that may also mean something else

	Looks func(value string) bool // tells whether a value may be one; nil if values do not tell
	Tells bool                    // matching values outweigh the header
	Takes bool                    // the field accepts only such values, so a matching header is not doubted

	// Why is a sentence on why such a column is left out. Only the whole header decides.
	Why string
}

// Targets are the known fields of people, with the words for them in English, German, French, Spanish, Portuguese,
// Italian, Dutch, Polish and Japanese. Case, accents, spaces and signs do not matter.
var Targets = []Target{
	{Name: "email", Label: "E-mail", Looks: store.IsEmail, Tells: true, Words: Words(`email, mail, email address,
		mail address, contact email, email adresse, mailadresse, adresse email, adresse mail, adresse électronique,
		courriel, adresse courriel, mél, correo, correo electrónico, dirección de correo, dirección de correo electrónico,
		direção de email, endereço de email, endereço eletrônico, correio eletrónico, indirizzo email, indirizzo mail,
		posta elettronica, mailadres, emailadres, adres email, adres mailowy, poczta elektroniczna, メール, メールアドレス,
		電子メール, eメール`)},
	{Name: "full_name", Label: "Full name", Words: Words(`name, full name, display name, speaker, speaker name, contact
		name, person, participant, attendee, vollständiger name, vor und nachname, vorname und nachname, vorname nachname,
		name vorname, referent, referentin, teilnehmer, ansprechpartner, kontakt?, nom, nom complet, nom et prénom, nom prénom,
		prénom et nom, prénom nom, intervenant, conférencier, nombre, nombre completo, nombre y apellidos, ponente, nome, nome
		completo, palestrante, orador, nome e cognome, nome e sobrenome, nominativo, relatore, naam, volledige naam, spreker,
		imię i nazwisko, prelegent, 氏名, 名前, お名前, フルネーム, 登壇者`)},
	{Name: "first_name", Label: "First name", Words: Words(`first name, given name, forename, christian name, fname,
		vorname, vornamen, rufname, prénom, prénoms, nombre de pila, primer nombre, primeiro nome, nome próprio, nome de
		batismo, nome di battesimo, voornaam, roepnaam, imię, imiona, 名, 名前 名, ファーストネーム`)},
	{Name: "last_name", Label: "Last name", Words: Words(`last name, surname, family name, lname, nachname, familienname,
		zuname, nom de famille, nom d usage, apellido, apellidos, primer apellido, sobrenome, apelido, último nome, nome de
		família, cognome, achternaam, familienaam, nazwisko, 姓, 苗字, 名字, 名前 姓, ラストネーム`)},
	{Name: "company_name", Label: "Company", Words: Words(`company, company name, organization, organisation, organization
		name, organisation name, employer, affiliation, institution, institute?, university?, business?, firma, firmenname,
		unternehmen, arbeitgeber, institut?, einrichtung, hochschule?, société, entreprise, nom de l entreprise, employeur,
		établissement, organisme, empresa, nombre de la empresa, compañía, organización, institución, nome da empresa,
		companhia, organização, instituição, entidade, azienda, nome azienda, società, ditta, ente, organizzazione,
		istituzione, bedrijf, bedrijfsnaam, organisatie, werkgever, instelling, nazwa firmy, organizacja, pracodawca,
		instytucja, uczelnia?, 会社, 会社名, 企業, 企業名, 法人名, 勤務先, 所属, 所属先, 組織, 組織名, 団体名`)},
	{Name: "job_title", Label: "Job title", Words: Words(`job title, job, job role, position, job position, occupation,
		profession, title?, role?, function?, tagline?, headline?, berufsbezeichnung, beruf, jobtitel, stelle, funktion,
		rolle?, poste, fonction, intitulé du poste, métier, titre?, puesto, cargo, puesto de trabajo, profesión, ocupación,
		função, profissão, posizione, ruolo?, qualifica, professione, mansione, functie, functietitel, beroep, stanowisko,
		zawód, funkcja, 役職, 役職名, 肩書, 肩書き, 職種, 職業, 職位`)},
	{Name: "phone", Label: "Phone", Looks: isPhone, Words: Words(`phone, phone number, telephone, telephone number, tel,
		tel no, mobile, mobile phone, mobile number, cell, cell phone, telefon, telefonnummer, telefonnr, rufnummer, handy,
		handynummer, mobil, mobilnummer, mobiltelefon, téléphone, numéro de téléphone, tél, portable, téléphone portable,
		téléphone mobile, teléfono, número de teléfono, móvil, celular, telefone, número de telefone, telemóvel, telemovel,
		telefono, numero di telefono, cellulare, telefoonnummer, telefoon, mobiel, mobiele nummer, numer telefonu, telefon
		komórkowy, komórka, 電話, 電話番号, 携帯, 携帯電話, 携帯番号`)},
	{Name: "linkedin_url", Label: "LinkedIn", Looks: isLinkedIn, Tells: true, Words: Words(`linkedin, linkedin url,
		linkedin profile, linkedin profil, profil linkedin, perfil linkedin, perfil de linkedin, profilo linkedin, linkedin
		profiel, リンクトイン`)},
	{Name: "photo_url", Label: "Photo", Looks: isAddress, Words: Words(`photo url, photo, picture, profile picture,
		headshot, avatar, image, foto, bild, profilbild, portrait, photo de profil, imagen, foto de perfil, imagem, immagine,
		foto profilo, profielfoto, afbeelding, zdjęcie, 写真, 画像, プロフィール写真`)},
	{Name: "website_url", Label: "Website", Looks: isAddress, Words: Words(`website, web site, web page, homepage, home page,
		url?, web, web address, link?, blog, company website, webseite, internetseite, internetadresse, internet, webadresse,
		site web, site internet, site, site web de l entreprise, page web, sitio web, página web, web de la empresa, sitio,
		site da empresa, página, sito, sito web, sito internet, pagina web, webpagina, webadres, strona, strona internetowa,
		strona www, www, ウェブサイト, サイト, ホームページ, 会社url`)},
	{Name: "about", Label: "Biography", Words: Words(`bio, biography, biographie, short bio, speaker bio, about, about me,
		about you, profile?, cv?, vita, kurzbiografie, kurzbiographie, biografie, lebenslauf, über mich, profil?, à propos,
		présentation?, notice biographique, biografía, semblanza, acerca de, sobre mí, biografia, minibiografia, mini bio,
		sobre mim, resumo biográfico, nota biografica, profilo?, over mij, biogram, nota biograficzna, o mnie, 経歴, 略歴,
		プロフィール, 自己紹介, 紹介文`)},
	{Name: "travel_notes", Label: "Travel notes", Words: Words(`travel, travel notes, travel details, travel plans, itinerary,
		flight, flights, reise, reisenotizen, reisedaten, reiseplan, flug, voyage, notes de voyage, déplacement,
		vol, viaje, notas de viaje, vuelo, viagem, notas de viagem, voo, viaggio, note di viaggio, volo, reis, reisnotities,
		vlucht, podróż, lot, 旅程, 移動, 交通手段`)},
	{Name: "logistics_notes", Label: "Logistics notes", Words: Words(`logistics, logistics notes, logistik, logistique,
		notes logistiques, logística, notas de logística, logistica, note logistiche, logistiek, logistyka, equipment,
		technical needs, av needs, technik, technikbedarf, besoins techniques, necesidades técnicas, 備考?, ロジスティクス`)},
	{Name: "arrival", Label: "Arrival", Words: Words(`arrival, arrival date, arrives, check in, anreise, ankunft,
		anreisedatum, arrivée, date d arrivée, llegada, fecha de llegada, chegada, data de chegada, arrivo, data di arrivo,
		aankomst, aankomstdatum, przyjazd, data przyjazdu, 到着, 到着日`)},
	{Name: "arrival_details", Label: "Arrival details", Words: Words(`arrival details, arrival notes, arrival flight,
		inbound flight, anreisedetails, détails d arrivée, detalles de llegada, detalhes da chegada, dettagli di arrivo,
		aankomstdetails, szczegóły przyjazdu, 到着詳細`)},
	{Name: "departure_details", Label: "Departure details", Words: Words(`departure details, departure notes,
		departure flight, outbound flight, return flight, abreisedetails, détails de départ, detalles de salida,
		detalhes da partida, dettagli di partenza, vertrekdetails, szczegóły wyjazdu, 出発詳細`)},
	{Name: "departure", Label: "Departure", Words: Words(`departure, departure date, departs, check out, abreise, abfahrt,
		abreisedatum, départ, date de départ, salida, fecha de salida, partida, data de partida, partenza, data di partenza,
		vertrek, vertrekdatum, wyjazd, data wyjazdu, 出発, 出発日`)},
	{Name: "hotel", Label: "Hotel", Words: Words(`hotel, accommodation, lodging, unterkunft, übernachtung, hébergement, hôtel,
		alojamiento, alojamento, hospedagem, alloggio, albergo, verblijf, accommodatie, zakwaterowanie, nocleg, ホテル, 宿泊,
		宿泊先`)},
	{Name: "dietary", Label: "Dietary needs", Words: Words(`diet, dietary, dietary needs, dietary requirements, dietary
		restrictions, food, meal, allergies, ernährung, verpflegung, essen, allergien, unverträglichkeiten, régime
		alimentaire, alimentation, repas, dieta, alergias, restricciones alimentarias, comida, restrições alimentares,
		alimentação, esigenze alimentari, allergie, dieet, dieetwensen, allergieën, alergie, wyżywienie, 食事, 食事制限,
		アレルギー`)},
	{Name: "access", Label: "Access needs", Words: Words(`access needs, accessibility, accessibility needs, accessibility
		requirements, barrierefreiheit, accessibilité, accesibilidad, acessibilidade, accessibilità, toegankelijkheid,
		dostępność, アクセシビリティ`)},
	{Name: "tags", Label: "Tags", Words: Words(`tag, tags, labels?, keywords?, groups?, category?, categories?, schlagwort,
		schlagworte, schlagwörter, stichwörter, gruppe?, kategorie?, mots clés?, étiquettes, catégorie?, etiquetas, etiqueta,
		palabras clave?, categoría?, palavras chave?, categoria?, etichette, parole chiave?, trefwoorden, labelwoorden,
		słowa kluczowe?, tagi, etykiety, タグ, ラベル`)},
	{Name: "workflow_status", Label: "Status", Words: Words(`status, speaker status, workflow status, statut, estado,
		stato, stan, ステータス`)},
	{Why: "It follows from sessions and events, and is kept with no person.", Words: Words(`came before, events, sessions,
		roles in sessions, travel so far, participation, changed`)},
	{Words: Words(`id, no, nr, nummer, number, row, row in the file, line, reason, what is wrong, type, kind,
		speaker id, contact id, person id, twitter, x, twitter handle, twitter name, twitter url, mastodon, mastodon url,
		bluesky, facebook, facebook url, instagram, github,
		github url, github name, youtube, xing, skype, fax, faxnummer, fax number, télécopie, titel, akademischer titel,
		salutation, anrede, civilité, tratamiento, tratamento, aanhef, prefix, suffix, middle name, second name, zweiter
		vorname, nickname, birthday, date of birth, geburtsdatum, gender, geschlecht, sexe, género, street, straße, rue,
		address, adresse, anschrift, dirección, endereço, indirizzo, adres, 住所, city, stadt, ort, ville, ciudad, cidade,
		città, stad, miasto, state, zip, postal code, postcode, plz, code postal, country, land, pays, país, paese, kraj, 国,
		language, sprache, langue, idioma, lingua, taal, język, 言語, session, sessions, session id, session title, talk,
		talk title, title of talk, title of the talk, vortrag, vortragstitel, titel des vortrags, track, raum, room, abstract,
		created, updated, created at, updated at, timestamp, zeitstempel, horodateur, marca temporal, company id,
		company address, company phone number, password, consent, email consent, newsletter, username, user name,
		benutzername, フリガナ, ふりがな, 番号, 部署, 部署名`)},
}

// Words splits a list at commas; line breaks count as spaces.
func Words(list string) []string {
	all := strings.Split(list, ",")
	for i, word := range all {
		all[i] = strings.Join(strings.Fields(word), " ")
	}
	return all
}

// isPhone reports whether a value consists mostly of digits and phone separators.
func isPhone(value string) bool {
	digits, others := 0, 0
	for _, r := range value {
		switch {
		case unicode.IsDigit(r):
			digits++
		case !unicode.IsSpace(r) && !strings.ContainsRune("+-./()‐–＋（）", r):
			others++
		}
	}
	return digits >= 5 && others <= digits // allows an extension, or a name
}

func isLinkedIn(value string) bool { return strings.Contains(store.Fold(value), "linkedin.com/") }

// isAddress reports whether a value is a web address, with or without https://.
func isAddress(value string) bool {
	value = strings.TrimSpace(value)
	return strings.Contains(value, ".") && !strings.ContainsFunc(value, unicode.IsSpace) && !store.IsEmail(value)
}
