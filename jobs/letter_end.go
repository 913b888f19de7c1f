package jobs

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strings"

	"github.com/wneessen/go-mail"

	"lectern/models"
)

// letterEnd returns the outcome of an attempt. If the whole letter was handed over and no answer came, the outcome is
// unknown. A permanent fault before any letter is offered applies to all letters.
func letterEnd(message *mail.Msg, err error) models.LetterEnd {
	var refused *mail.SendError
	var answer *textproto.Error
	code, enhanced, handedOver := 0, "", false
	switch {
	case err == nil || message.IsDelivered(): // faults after the server took the letter do not count
		return models.LetterEnd{State: models.LetterSent, Answer: "250: accepted"}
	case errors.As(err, &refused):
		code, enhanced = refused.ErrorCode(), refused.EnhancedStatusCode()
		// The library ends the message before it reports these errors, so the server may have taken half a letter.
		handedOver = refused.Reason == mail.ErrSMTPDataClose || refused.Reason == mail.ErrWriteContent
	case errors.As(err, &answer):
		code = answer.Code
	}
	switch {
	case refused == nil && (code >= 500 || code == 0 && !isPassing(err)), slices.Contains(loginCodes, code):
		return models.LetterEnd{State: models.LetterQueued, Answer: barredWords(err, code), Barred: true}
	case code >= 500:
		return models.LetterEnd{State: models.LetterFailed, Answer: answerWords(code, enhanced)}
	case code >= 400:
		return models.LetterEnd{State: models.LetterQueued, Answer: answerWords(code, enhanced)}
	case handedOver:
		return models.LetterEnd{State: models.LetterUnknown,
			Answer: "The connection broke after the letter was handed over. It may have arrived"}
	}
	return models.LetterEnd{State: models.LetterQueued, Answer: "The mail server could not be reached, or hung up"}
}

// answerWords describes a mail server's answer in our own words: the server's may repeat an address.
func answerWords(code int, enhanced string) string {
	_, detail, _ := strings.Cut(enhanced, ".")
	class, _, _ := strings.Cut(detail, ".")
	words := map[string]string{"1.1": "the address does not exist", "1.2": "the address's domain does not exist",
		"1.3": "the address is not written rightly", "1.6": "the mailbox has moved", "2.1": "the mailbox takes no mail",
		"2.2": "the mailbox is full", "2.3": "the letter is too large", "3.4": "the letter is too large"}[detail]
	words = cmp.Or(words, map[string]string{"1": "something is wrong with the address", "2": "something is wrong with the mailbox",
		"7": "its rules do not allow this letter"}[class])
	if words == "" && code < 500 {
		words = "the mail server asks to try later"
	}
	words = cmp.Or(words, "the mail server refused the letter")
	return strings.TrimSpace(fmt.Sprint(code, " ", enhanced)) + ": " + words
}

// loginCodes are the answers that require a login or reject it.
var loginCodes = []int{530, 534, 535, 538}

// isPassing reports whether a fault on the way to the mail server may be gone by the next attempt.
func isPassing(err error) bool {
	var onTheWay net.Error
	var name *net.DNSError
	if errors.As(err, &name) && name.IsNotFound {
		return false
	}
	return errors.As(err, &onTheWay) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) || errors.Is(err, net.ErrClosed)
}

// barredWords describes why no letter at all can be sent.
func barredWords(err error, code int) string {
	var certificate *tls.CertificateVerificationError
	var host x509.HostnameError
	var name *net.DNSError
	switch {
	case slices.Contains(loginCodes, code):
		return fmt.Sprint(code, ": the mail server does not take our name and password")
	case code > 0:
		return fmt.Sprint(code, ": the mail server does not let us in")
	case errors.As(err, &host):
		return "The mail server has a certificate for another name"
	case errors.As(err, &certificate):
		return "The mail server has a certificate that nobody vouches for"
	case errors.As(err, &name):
		return "There is no mail server of that name"
	}
	return "The mail server does not speak as it should: without encryption, or without a sign-in"
}
