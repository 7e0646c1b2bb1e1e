import { startInbox } from '@latchkey/dev'
import { startProxy } from '../startProxy.ts'
import { type AuthClient, codeIn, createAuthClient, secretIn } from './authClient.ts'
import { holdWallet } from './holdWallet.ts'
import { choose, finish, leave, signInAt, startSocialServer } from './socialBrowser.ts'

type Confirming = {
  readonly action: string
  readonly account: string
  readonly provider?: string
}

/**
 * A server, a mailbox behind a proxy, and people who began at a provider and add an email address.
 */
export async function startAddresses() {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  /** Between the server and the inbox. */
  const mailWay = await startProxy(new URL(inbox.smtpUrl))
  const started = { ...(await startSocialServer({ SMTP_URL: mailWay.url })), inbox }
  const { server, time } = started

  /** A user who has only signed in at a provider. */
  async function signedInAlone(account: string): Promise<AuthClient> {
    const client = await createAuthClient(server)
    const { status, text } = await signInAt(client, server, { provider: 'github', account })
    if (status !== 200) throw new Error(text)
    return client
  }
  /** The same in a browser that holds the wallet. */
  async function signedIn(account: string): Promise<AuthClient> {
    const client = await signedInAlone(account)
    await holdWallet(started, client)
    return client
  }
  /** Signs in at a provider in a window, for another purpose than a plain login. */
  async function visit(
    client: AuthClient,
    { account, ...body }: { account: string; provider: string; purpose: string; action?: string },
  ) {
    const { tx, window, target } = await leave(client, server, body)
    await choose(window, target, { account })
    const { body: found } = await finish(client, tx)
    if (found.tokens) client.state.tokens = found.tokens
    return found
  }
  /** Confirms one action by signing in at a provider again. */
  const confirm = (client: AuthClient, { provider = 'github', ...of }: Confirming) =>
    visit(client, { provider, purpose: 'step-up', ...of })
  async function begin(client: AuthClient, to: string): Promise<string> {
    const { status, text, body } = await client.ask('/api/email/change', { to })
    if (status !== 200 || body.action !== 'STEP_UP') throw new Error(text)
    return body.changeTx
  }
  const add = (client: AuthClient, changeTx: string) => client.ask('/api/email/add', { changeTx })
  const enter = (client: AuthClient, changeTx: string, code: string) =>
    client.ask('/api/email/secondary', { changeTx, code })
  /** Up to the code, which the mailbox has then. */
  async function reachCode(client: AuthClient, account: string, to: string): Promise<string> {
    const changeTx = await begin(client, to)
    await confirm(client, { action: `change ${changeTx}`, account })
    const { status, text } = await add(client, changeTx)
    if (status !== 200) throw new Error(text)
    return changeTx
  }
  /** A user in a browser that holds the wallet, a minute after the address was added. */
  async function withAddress(account: string, to: string): Promise<AuthClient> {
    const client = await signedIn(account)
    const changeTx = await reachCode(client, account, to)
    time.nowMs += 1_000
    const { status, text } = await enter(client, changeTx, codeIn(inbox, to))
    if (status !== 200) throw new Error(text)
    time.nowMs += 60_000
    return client
  }
  /**
   * The same, a minute after that address was changed for another: the first has a link that undoes
   * that.
   */
  async function withChange(account: string) {
    const [first, second] = [`${account}1@example.com`, `${account}2@example.com`]
    const client = await withAddress(account, first)
    const { changeTx } = (await client.ask('/api/email/change', { to: second })).body
    await client.ask('/api/email/primary', { changeTx, code: codeIn(inbox, first) })
    const { status, text } = await enter(client, changeTx, codeIn(inbox, second))
    if (status !== 200) throw new Error(text)
    time.nowMs += 60_000
    return { client, first, second, secret: secretIn(inbox, first, 'undo') }
  }
  /** Confirms one action by a code from the mailbox. */
  async function confirmByCode(client: AuthClient, action: string, email: string): Promise<void> {
    time.nowMs += 61_000
    const where = { projectId: 'local', origin: server.url }
    const { body } = await client.ask('/api/login', { ...where, purpose: 'step-up', action })
    const code = codeIn(inbox, email)
    client.state.tokens = (await client.ask('/api/login/verify', { tx: body.tx, code })).body
  }
  return {
    ...started,
    mailWay,
    withAddress,
    withChange,
    confirmByCode,
    signedInAlone,
    signedIn,
    visit,
    confirm,
    begin,
    add,
    enter,
    reachCode,
    mailsTo: (to: string) => inbox.mails.filter((mail) => mail.to.includes(to)),
    emailOf: async (client: AuthClient) => (await client.ask('/api/me')).body.email,
    async stop() {
      await started.stop()
      await mailWay.stop()
      await inbox.stop()
    },
  }
}
