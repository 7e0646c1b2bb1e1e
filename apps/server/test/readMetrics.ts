/** For the servers of tests. */
export const metricsToken = 'token-of-the-operator'

/** The metrics of a server that is configured with {@link metricsToken}. */
export async function readMetrics(url: string, query = ''): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  return (await fetch(`${url}/metrics${query}`, { headers })).text()
}
