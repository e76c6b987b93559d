// Verifies webhooks from Aisle. Needs .NET 6 or later and no packages. .NET 10 runs this file with: dotnet run Verify.cs
using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public static class Verify
{
    /// <summary>The names of the headers are lower-case, body is the raw body, and now is the Unix time in seconds.</summary>
    public static bool IsSigned(string secret, IDictionary<string, string> headers, byte[] body, long now)
    {
        headers.TryGetValue("webhook-id", out string id);
        headers.TryGetValue("webhook-timestamp", out string sentAt);
        headers.TryGetValue("webhook-signature", out string signatures);
        if (!long.TryParse(sentAt, out long seconds) || seconds < now - 300 || seconds > now + 300) return false;
        byte[] key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
        byte[] signed = Encoding.UTF8.GetBytes(id + "." + sentAt + ".").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(key))
        {
            byte[] expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
            return (signatures ?? "").Split(' ')
                .Any(given => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(given)));
        }
    }

    /// <summary>Only for the test of this file. Each line is a message: secret, id, timestamp, signatures, now, body in base64.</summary>
    public static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            string[] parts = line.Split('\t');
            var headers = new Dictionary<string, string>
            {
                ["webhook-id"] = parts[1],
                ["webhook-timestamp"] = parts[2],
                ["webhook-signature"] = parts[3],
            };
            bool isSigned = IsSigned(parts[0], headers, Convert.FromBase64String(parts[5]), long.Parse(parts[4]));
            Console.WriteLine(isSigned ? "true" : "false");
        }
    }
}
