import type { ServiceCommand } from './command.ts';

/** `service mcp` */
export function mcpCommand(program: ServiceCommand): void {
  program
    .command('mcp')
    .description(
      'offer browsers as the tools of an agent, over stdin and stdout (MCP); reads SERVICE_API_KEY and SERVICE_BASE_URL',
    )
    .action(async () => {
      const { serveProcess } = await import('../../mcp/stdio.ts');
      await serveProcess(process.env);
      // Idle connections would keep the process alive after its client has gone.
      process.exit();
    });
}
