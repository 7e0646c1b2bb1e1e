#!/usr/bin/env -S node --max-semi-space-size=32
// More room for what is young (MB): a server makes much of it, and clearing it twice as often would
// double the slowest requests.
import { register } from 'tsx/esm/api'

register()
await import('../src/cli.ts')
