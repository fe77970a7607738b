package dev.larder.cli.entry;

import dev.larder.memory.LarderException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of the keys, or the values, of a map: how they are written, and which bytes the codec stores, as far as its name
 * shows.
 *
 * <pre>
 * codec           forms
 * text            text
 * int             int          likewise long, double
 * record...       record
 * bytes           all
 * of a program    none         only the program knows its bytes
 *                 hex, base64  of every codec
 * </pre>
 *
 * @param what "key" or "value", for errors
 * @param codec the name of the codec
 * @param given the requested form; AUTO if none was requested
 */
public record EntryForm(String what, String codec, ByteForm given, EntryText text) {

    private static final String BYTES = "bytes";
    private static final String RECORD = "record";
    private static final String OF_ONE_RECORD = RECORD + ":";
    private static final String OF_RECORDS = RECORD + "s:";

    /** Makes a form; the codec must have it. */
    public EntryForm {
        if (given != ByteForm.AUTO && !allows(codec, given)) {
            throw new LarderException("the map's " + what + "s have the codec " + codec + ", not " + name(given));
        }
    }

    private static String name(ByteForm form) {
        return form.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the form in which a codec's values are written; AUTO if it may be any, or is unknown. */
    private static ByteForm formOf(String codec) {
        boolean typed = codec.equals(RECORD) || codec.startsWith(OF_ONE_RECORD) || codec.startsWith(OF_RECORDS);
        return typed
                ? ByteForm.RECORD
                : Arrays.stream(new ByteForm[] {ByteForm.TEXT, ByteForm.INT, ByteForm.LONG, ByteForm.DOUBLE})
                        .filter(form -> name(form).equals(codec))
                        .findFirst()
                        .orElse(ByteForm.AUTO);
    }

    private static boolean allows(String codec, ByteForm form) {
        return form == ByteForm.HEX || form == ByteForm.BASE64 || codec.equals(BYTES) || formOf(codec) == form;
    }

    private boolean isKnown() {
        return codec.equals(BYTES) || formOf(codec) != ByteForm.AUTO;
    }

    /** Returns whether a put from the standard input stores the input's bytes unchanged. */
    public boolean takesBytes() {
        return given == ByteForm.AUTO && (formOf(codec) == ByteForm.AUTO || formOf(codec) == ByteForm.TEXT);
    }

    /** Returns the bytes of a text on the command line. */
    public byte[] parse(String written) {
        if (given == ByteForm.AUTO && !isKnown()) {
            throw new LarderException("the map's " + what + "s have the codec " + codec
                    + ", which this command does not know: give the bytes, with --" + what + "s hex or base64");
        }
        ByteForm form = given == ByteForm.AUTO ? formOf(codec) : given;
        return requireStorable(text.parse(what, written, form));
    }

    /** Throws if the codec does not store these bytes. */
    public byte[] requireStorable(byte[] bytes) {
        boolean stored = switch (formOf(codec)) {
            case TEXT -> JsonMessages.text(bytes) != null;
            case INT -> bytes.length == Integer.BYTES;
            case LONG, DOUBLE -> bytes.length == Long.BYTES;
            case RECORD -> text.isRecord(bytes, recordName());
            case AUTO, HEX, BASE64 -> true;
        };
        if (!stored) {
            throw new LarderException("the map's " + what + "s have the codec " + codec + ", which cannot read these "
                    + bytes.length + " bytes: " + shortened(text.plain(what, bytes, ByteForm.AUTO)));
        }
        return bytes;
    }

    /** Returns the name of the codec's record; null for a codec of several records, which does not name them. */
    private @Nullable String recordName() {
        return codec.startsWith(OF_ONE_RECORD) ? codec.substring(OF_ONE_RECORD.length()) : null;
    }

    private static String shortened(String text) {
        int most = 60;
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /**
     * Throws if a JSON object names a form that the codec does not have.
     *
     * @param trusted whether it comes from a map of the same codec
     */
    public void requireForm(Map<?, ?> json, boolean trusted) {
        for (ByteForm form : new ByteForm[] {ByteForm.TEXT, ByteForm.INT, ByteForm.LONG, ByteForm.DOUBLE}) {
            boolean strange = json.get(name(form)) != null && !allows(codec, form);
            if (strange && (isKnown() || !trusted)) {
                throw new LarderException("the map's " + what + "s have the codec " + codec + ", not " + name(form));
            }
        }
    }

    private ByteForm shown() {
        ByteForm own = formOf(codec);
        boolean guessed = given != ByteForm.AUTO || own == ByteForm.TEXT || own == ByteForm.RECORD;
        return guessed ? given : own; // the guess finds text and records, and also shows damaged bytes
    }

    /** Returns bytes as a line of text. */
    public String plain(byte[] bytes) {
        return text.plain(what, bytes, shown());
    }

    /** Returns bytes as a JSON object. */
    public Map<String, @Nullable Object> json(byte[] bytes) {
        return text.json(what, bytes, shown());
    }

    /** Returns bytes as {@link #json} does, even if they do not fit the form. */
    public Map<String, @Nullable Object> fittingJson(byte[] bytes) {
        return text.fittingJson(what, bytes, shown());
    }

    /** Returns whether bytes are shown unchanged. */
    public boolean isShownAsIs(byte[] bytes) {
        return shown() == ByteForm.TEXT || (shown() == ByteForm.AUTO && !text.isTyped(bytes));
    }
}
