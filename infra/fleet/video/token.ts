import { errors, jwtVerify } from 'jose';
import type { SessionId } from '../../../contracts/ids.ts';
import { Type, oneOf } from '../../../contracts/schema.ts';
import { idSchema } from '../../../contracts/ids.ts';
import { shape } from '../shape.ts';
import type { Participant } from './room.ts';

/** Key that signs a node's tokens; `api_key` names the node, so that the control plane knows whose token it is. */
export interface VideoKey {
  readonly api_key: string;
  readonly api_secret: string;
}

/** The content of a token: the room to join, and as whom. */
export interface Admission {
  readonly room: string;
  /** The session whose browser the room shows. */
  readonly session: SessionId;
  readonly participant: Omit<Participant, 'attributes'>;
}

const isClaims = shape(
  Type.Object({
    sub: Type.String({ minLength: 1, maxLength: 200 }),
    video: Type.Object({ room: Type.String({ minLength: 1, maxLength: 100 }), roomJoin: Type.Literal(true) }),
    session: idSchema('session'),
    right: oneOf(['control', 'watch']),
    link: Type.Optional(Type.String({ maxLength: 100 })),
    key: Type.Optional(idSchema('apiKey')),
  }),
);

/** Reads a token that the control plane issued for this node; undefined for any other, or an expired one. */
export async function readAdmission(token: string, key: VideoKey): Promise<Admission | undefined> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(key.api_secret), {
      algorithms: ['HS256'],
      issuer: key.api_key,
      requiredClaims: ['exp'],
      clockTolerance: 5,
    });
    if (!isClaims.is(payload)) return undefined;
    const { sub: identity, video, session, right, link, key: apiKeyId } = payload;
    return {
      room: video.room,
      session,
      participant: {
        ...{ identity, right },
        ...(link !== undefined && { linkId: link }),
        ...(apiKeyId !== undefined && { apiKeyId }),
      },
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
