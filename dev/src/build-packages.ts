import { installCommand } from './packages/installCommand.ts'
import { packAll } from './packages/packAll.ts'

// In any other mode, Vite would emit React's development calls.
process.env.NODE_ENV = 'production'

const startedAtMs = Date.now()
const tarballs = await packAll()
console.log(`Built in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s. In your app:\n`)
console.log(installCommand(tarballs))
