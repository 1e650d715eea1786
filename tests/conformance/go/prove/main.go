// Command prove speaks the lines of JSON of the conformance suite: see tests/conformance/README.md.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"cuckoofilter"
)

type request struct {
	Do         string
	Bytes      string
	Secret     *string
	Seed       string
	Limit      *uint64
	String     *string
	Integer    string
	Keys       []string
	Words      []string
	Buckets    uint64
	Slots      int
	Bits       float64
	Storage    string
	Addressing string
	Capacity   uint64
}

type object map[string]interface{}

var filter *cuckoofilter.Filter

func fromHex(digits string) []byte {
	data, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return data
}

func answer(r request) object {
	var secret []byte
	if r.Secret != nil {
		secret = fromHex(*r.Secret)
	}
	switch r.Do {
	case "about":
		kinds := []string{"plain", "semi-sorted", "growing", "keyed"}
		return object{"name": "Go", "reads": kinds, "writes": kinds, "hashes": true, "keys": true}
	case "hash":
		if secret != nil {
			return object{"hash": fmt.Sprintf("%016x", cuckoofilter.SipHash13(fromHex(r.Bytes), secret))}
		}
		seed, _ := strconv.ParseUint(r.Seed, 10, 64)
		return object{"hash": fmt.Sprintf("%016x", cuckoofilter.XXH64(fromHex(r.Bytes), seed))}
	case "key":
		if r.String != nil {
			return object{"bytes": hex.EncodeToString([]byte(*r.String))}
		}
		if unsigned, err := strconv.ParseUint(r.Integer, 10, 64); err == nil {
			return object{"bytes": hex.EncodeToString(cuckoofilter.Uint(unsigned))}
		}
		signed, _ := strconv.ParseInt(r.Integer, 10, 64)
		return object{"bytes": hex.EncodeToString(cuckoofilter.Int(signed))}
	case "open":
		limit := ^uint64(0)
		if r.Limit != nil {
			limit = *r.Limit
		}
		opened, err := cuckoofilter.Load(fromHex(r.Bytes), secret, limit)
		if refused, ok := err.(*cuckoofilter.FormatError); ok {
			return object{"error": refused.Code, "rule": refused.Rule}
		}
		filter = opened
		return object{"size": filter.Size()}
	case "create":
		seed, _ := strconv.ParseUint(r.Seed, 10, 64)
		made, err := cuckoofilter.New(cuckoofilter.Options{Buckets: r.Buckets, Slots: r.Slots, Bits: r.Bits,
			Capacity: r.Capacity, SemiSorted: r.Storage == "semi-sorted", Xor: r.Addressing == "xor",
			Seed: seed, Secret: secret})
		if err != nil {
			return object{"failure": err.Error()}
		}
		filter = made
		return object{}
	case "ask":
		answers := []int{}
		for _, key := range r.Keys {
			count := filter.Count(fromHex(key))
			if (count > 0) != filter.Contains(fromHex(key)) {
				return object{"failure": "Count and Contains differ"}
			}
			answers = append(answers, count)
		}
		return object{"answers": answers}
	case "change":
		words := []string{}
		for _, word := range r.Words {
			words = append(words, change(word))
		}
		return object{"words": words}
	case "save":
		return object{"bytes": hex.EncodeToString(filter.Save())}
	}
	return object{"failure": "unknown request " + r.Do}
}

// change adds or deletes a key, and returns the word with the sign of what came of it.
func change(word string) string {
	key := fromHex(word[1:])
	sign := "+"
	if word[0] == '-' || word[0] == '=' {
		sign = "="
		if filter.Delete(key) {
			sign = "-"
		}
	} else if err := filter.Add(key); err == cuckoofilter.ErrFull {
		sign = "!"
	} else if err != nil {
		sign = "#"
	}
	return sign + word[1:]
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		if err := out.Encode(answer(r)); err != nil {
			panic(err)
		}
	}
}
