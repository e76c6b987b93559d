<?php
// Verifies webhooks from Aisle. Needs PHP 8.0 or later and no packages.

/** The names of the headers are lower-case, $body is the raw body (php://input), and $now is the Unix time in seconds. */
function is_signed(string $secret, array $headers, string $body, int $now): bool
{
    $id = $headers['webhook-id'] ?? '';
    $sent_at = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($sent_at) || abs($now - (int) $sent_at) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sent_at.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

// Only for the test of this file. Each line is a message: secret, id, timestamp, signatures, now, body in base64.
while (PHP_SAPI === 'cli' && ($line = fgets(STDIN)) !== false) {
    [$secret, $id, $sent_at, $signatures, $now, $body] = explode("\t", rtrim($line, "\n"));
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $sent_at, 'webhook-signature' => $signatures];
    echo is_signed($secret, $headers, base64_decode($body), (int) $now) ? "true\n" : "false\n";
}
