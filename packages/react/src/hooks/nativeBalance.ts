export { getNativeBalance } from '@latchkey/core'
