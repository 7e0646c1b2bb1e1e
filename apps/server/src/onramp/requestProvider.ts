import { parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod'
import { getErrorMessage } from '../getErrorMessage.ts'
import type { Services } from '../services.ts'

const timeoutMs = 5_000
const maxBytes = 256 * 1024

export type ProviderRequest = {
  /** Our id for the provider, for the log. The log contains nothing about the visitor. */
  readonly provider: string
  /** The kind of request, for the log: a URL may contain an order's id or the operator's key. */
  readonly subject: 'quote' | 'session' | 'transactions'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a POST, as JSON. Without a body, the request is a GET. */
  readonly body?: string
}

/**
 * Sends a request to a provider that the operator has configured. Undefined if the response is not
 * 2xx or does not match `schema`.
 */
export async function requestProvider<Schema extends z.ZodType>(
  { log }: Pick<Services, 'log'>,
  { provider, subject, url, headers, body }: ProviderRequest,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readText(response)
    if (!response.ok) {
      log.warn({ provider, subject, status: response.status }, 'onramp provider refused')
      return undefined
    }
    const parsed = schema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    const places = parsed.error.issues.map(({ path }) => path.join('.'))
    log.warn({ provider, subject, places }, 'onramp provider sent an unexpected response')
  } catch (error) {
    const reason = getErrorMessage(error)
    log.warn({ provider, subject, reason }, 'onramp provider did not respond')
  }
  return undefined
}

/** Undefined if it is not JSON: the error of `JSON.parse` would quote the response in the log. */
function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * A transaction's hash or signature in the format of any chain; empty if there is no transaction
 * yet.
 */
export const transactionHash = z.string().regex(/^[0-9A-Za-z]{0,128}$/)
/** A decimal amount that is not negative, in the format of providers. */
export const decimal = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/)
