import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

/**
 * Sends a request to a server, and waits for its complete response. Throws unless the status is
 * 200. Does not use `fetch`, whose garbage collection would distort the times.
 */
export function askServer(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: 'GET' | 'POST'; headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = method === 'POST' && { 'content-length': Buffer.byteLength(body).toString() }
    const asked = request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.once('end', () =>
        answer.statusCode === 200
          ? resolve(text)
          : reject(new Error(`${url}: ${answer.statusCode} ${text}`)),
      )
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
