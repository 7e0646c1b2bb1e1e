import { type App, getNativeBalance } from '@latchkey/core'

/** Core's native balance, in a file of its own so that a page loads its code only once there is an account. */
export const nativeBalance = (app: App, parameters: Parameters<typeof getNativeBalance>[1]) =>
  getNativeBalance(app, parameters)
