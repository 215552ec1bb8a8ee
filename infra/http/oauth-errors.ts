import type { Request, Response } from 'express';
import { problems, Refusal, refuse } from '../../contracts/problems.ts';

type Answer = (request: Request, response: Response) => Promise<void>;

/** Adds the `error` required by OAuth clients (RFC 6749, 5.2) to each refusal with status 400 that has none. */
export const withOAuthErrors =
  (answer: Answer): Answer =>
  async (request, response) => {
    try {
      await answer(request, response);
    } catch (error) {
      throw error instanceof Refusal ? named(error) : error;
    }
  };

function named(refusal: Refusal): Refusal {
  const { slug, message, extensions } = refusal;
  if (problems[slug].status !== 400 || 'error' in extensions) return refusal;
  return refuse(slug, message, { ...extensions, error: 'invalid_request' });
}
