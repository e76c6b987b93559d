// Copied to the folder in which Medusa is installed. Without Redis, all modules run in this process: events, locks, the
// cache and the workflow engine are in memory.
const { defineConfig } = require('@medusajs/framework/utils');

const { DATABASE_URL, SECRET } = process.env;

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false }, pool: { min: 0, max: 20 } },
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: SECRET, cookieSecret: SECRET },
  },
  admin: { disable: true },
});
