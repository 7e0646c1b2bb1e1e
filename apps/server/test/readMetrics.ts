/** For the servers of tests. */
export const metricsToken = 'token-of-the-operator'

/** What a server that knows {@link metricsToken} measures. */
export async function readMetrics(url: string, query = ''): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  return (await fetch(`${url}/metrics${query}`, { headers })).text()
}
