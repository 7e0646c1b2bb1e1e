declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Account = { accountId: string; claims(): Record<string, unknown> }
  type Context = {
    oidc: { client?: { clientId: string }; result?: unknown; session?: { accountId?: string } }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ uid: string; params: Record<string, unknown> }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
    AccessToken: { find(token: string): Promise<{ accountId: string } | undefined> }
    Grant: new (parameters: {
      accountId: string
      clientId: string
    }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
    on(event: string, listener: (context: unknown, error: Error) => void): void
  }
  export const interactionPolicy: {
    base(): {
      get(name: string): { checks: { add(check: unknown): void } }
      remove(name: string): void
    }
    Check: {
      new (reason: string, description: string, check: (context: Context) => boolean): unknown
      REQUEST_PROMPT: boolean
      NO_NEED_TO_PROMPT: boolean
    }
  }
}
