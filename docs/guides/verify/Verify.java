// Verifies webhooks from Aisle. Needs Java 11 or later and no packages.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.Scanner;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
  /** {@code headers} has lower-case names, {@code body} is the raw body, and {@code now} is the Unix time in seconds. */
  static boolean isSigned(String secret, Map<String, String> headers, byte[] body, long now)
      throws GeneralSecurityException {
    String id = headers.getOrDefault("webhook-id", "");
    String sentAt = headers.getOrDefault("webhook-timestamp", "");
    if (!sentAt.matches("[0-9]{1,15}") || Math.abs(now - Long.parseLong(sentAt)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
    mac.update((id + "." + sentAt + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    boolean isMatch = false;
    for (String given : headers.getOrDefault("webhook-signature", "").split(" ")) {
      isMatch |= MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8));
    }
    return isMatch;
  }

  /** Only for the test of this file. Each line is a message: secret, id, timestamp, signatures, now, body in base64. */
  public static void main(String[] args) throws GeneralSecurityException {
    Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
    while (lines.hasNextLine()) {
      String[] parts = lines.nextLine().split("\t", -1);
      Map<String, String> headers =
          Map.of("webhook-id", parts[1], "webhook-timestamp", parts[2], "webhook-signature", parts[3]);
      System.out.println(isSigned(parts[0], headers, Base64.getDecoder().decode(parts[5]), Long.parseLong(parts[4])));
    }
  }
}
