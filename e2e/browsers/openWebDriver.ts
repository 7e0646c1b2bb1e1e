import { setTimeout as sleep } from 'node:timers/promises'

const startTimeoutMs = 120_000
const sessionTimeoutMs = 20_000
const pauseMs = 50

// biome-ignore lint/suspicious/noExplicitAny: a response of the browser's driver
type CommandResult = any

/**
 * Opens a WebDriver session after the driver at `url` listens. Throws if no browser starts in time.
 * A command throws the driver's error.
 */
export async function openWebDriver(url: string, capabilities: object) {
  const ask = async (
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<CommandResult> => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(signal && { signal }),
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: CommandResult }
    if (response.ok) return value
    throw new Error(`${value?.error}: ${value?.message} (${path})`)
  }
  const deadlineMs = Date.now() + startTimeoutMs
  const isReady = () => ask('GET', '/status').then(({ ready }) => ready === true)
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > deadlineMs) throw new Error(`no driver at ${url}`)
    await sleep(pauseMs)
  }
  const wanted = { capabilities: { alwaysMatch: capabilities } }
  const { sessionId } = await ask('POST', '/session', wanted, AbortSignal.timeout(sessionTimeoutMs))
  const session = `/session/${sessionId}`
  return {
    command: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      ask(method, `${session}${path}`, body),
    close: () => ask('DELETE', session),
  }
}
