// Verifies webhooks from Aisle. Needs Go 1.18 or later and no packages.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// isSigned verifies a message. The body is the raw body, and now is the Unix time in seconds.
func isSigned(secret string, headers http.Header, body []byte, now int64) bool {
	id, sentAt := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || seconds < now-300 || seconds > now+300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sentAt + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}

// Only for the test of this file. Each line is a message: secret, id, timestamp, signatures, now, body in base64.
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		headers := http.Header{}
		headers.Set("webhook-id", parts[1])
		headers.Set("webhook-timestamp", parts[2])
		headers.Set("webhook-signature", parts[3])
		now, _ := strconv.ParseInt(parts[4], 10, 64)
		body, _ := base64.StdEncoding.DecodeString(parts[5])
		fmt.Println(isSigned(parts[0], headers, body, now))
	}
}
