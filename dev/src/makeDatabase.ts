/**
 * A new database in the PostgreSQL that the test run shares: with the server's tables, or with what
 * `sql` makes. Gives its URL.
 */
export async function makeDatabase(sql = ''): Promise<string> {
  const url = process.env.TEST_DATABASES
  if (!url) throw new Error('TEST_DATABASES is not set: run the test with the root’s Vitest')
  const response = await fetch(url, { method: 'POST', body: sql })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
